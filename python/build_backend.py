"""How pip and build make a wheel and a source distribution (PEP 517): the library by CMake, then the package as it stands.

A wheel is for the machine's own platform: it carries libtexla.so, which loads EGL and OpenGL from the system.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(r'__version__ = "([^"]+)"', (ROOT / "python/texla/_library.py").read_text()).group(1)
SOURCES = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "pyproject.toml", "cmake", "docs", "include", "python", "shaders", "src"]
METADATA = f"""Metadata-Version: 2.1
Name: texla
Version: {VERSION}
Summary: Linear algebra in OpenGL fragment shaders
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: sparse
Requires-Dist: scipy; extra == "sparse"
Description-Content-Type: text/markdown

{(ROOT / "docs/python.md").read_text() if (ROOT / "docs/python.md").exists() else ""}"""


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def _library(folder):
    """Builds the library in a folder of its own, or takes the one that TEXLA_LIBRARY names; returns its file."""
    if os.environ.get("TEXLA_LIBRARY"):
        return pathlib.Path(os.environ["TEXLA_LIBRARY"]).resolve()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DTEXLA_BUILD_CLI=OFF", "-DTEXLA_BUILD_DEMOS=OFF", "-DTEXLA_BUILD_TESTS=OFF", "-DTEXLA_BUILD_MPI=OFF", "-DTEXLA_CARRY_GLEW=ON"]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "texla", "-j", str(os.cpu_count() or 1)], check=True)
    return next(pathlib.Path(folder, "lib").glob("libtexla.so")).resolve()


def _platform():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, tag = f"texla-{VERSION}", f"py3-none-{_platform()}"
    record = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(pathlib.Path(wheel_directory, f"{name}-{tag}.whl"), "w", zipfile.ZIP_DEFLATED) as wheel:
        def write(path, data):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)

        for file in sorted((ROOT / "python/texla").rglob("*")):
            if file.suffix == ".py" or file.name == "py.typed":
                write(file.relative_to(ROOT / "python").as_posix(), file.read_bytes())
        write("texla/libtexla.so", _library(folder).read_bytes())
        write(f"{name}.dist-info/METADATA", METADATA.encode())
        write(f"{name}.dist-info/LICENSE", (ROOT / "LICENSE").read_bytes())
        write(f"{name}.dist-info/WHEEL", f"Wheel-Version: 1.0\nGenerator: texla\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        wheel.writestr(f"{name}.dist-info/RECORD", "\n".join([*record, f"{name}.dist-info/RECORD,,", ""]))
    return f"{name}-{tag}.whl"


def build_sdist(sdist_directory, config_settings=None):
    name = f"texla-{VERSION}"

    def chosen(entry):
        return None if "__pycache__" in entry.name or entry.name.endswith(".pyc") else entry

    with tarfile.open(pathlib.Path(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for source in SOURCES:
            archive.add(ROOT / source, f"{name}/{source}", filter=chosen)
        with tempfile.NamedTemporaryFile("w") as info:
            info.write(METADATA)
            info.flush()
            archive.add(info.name, f"{name}/PKG-INFO")
    return f"{name}.tar.gz"

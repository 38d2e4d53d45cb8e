// This file is empty: the compiler allows linkname only in packages that have one, up to some release.

// This file is empty: the compiler allows functions without a body only in packages that have one.

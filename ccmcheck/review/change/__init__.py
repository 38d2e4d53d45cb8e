"""What a change of cloud.conf or Services does: both sides read, each Service settled and compared, in three forms."""

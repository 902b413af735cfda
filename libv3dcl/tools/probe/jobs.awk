# SPDX-License-Identifier: MIT
# Texts of jobs as initialisers of struct { name, text }, the name being the file's.
FNR == 1 {
	if (NR > 1)
		print "},"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.v3d$/, "", name)
	print "{ \"" name "\","
}
{
	gsub(/["\\]/, "\\\\&")
	print "\"" $0 "\\n\""
}
END {
	print "},"
}

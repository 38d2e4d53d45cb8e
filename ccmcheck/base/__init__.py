"""What every room uses: records, errors, text and its positions, names, masking, edits."""

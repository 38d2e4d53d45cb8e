"""What a change does before it is made: another release of the CCM, or another configuration."""

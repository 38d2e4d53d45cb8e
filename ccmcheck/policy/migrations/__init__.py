"""Ways from one provider to another: what becomes of each key, the steps in their order, what live Services lose."""

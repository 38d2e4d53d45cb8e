"""What each kind of step does; each is called with the stage and the values of the step."""

"""What the settings of [LoadBalancer] mean together: monitors, providers, methods, security groups."""

class Customers:
    def greet(self, customer):
        return f"Dear {customer.name}"

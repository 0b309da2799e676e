def weed(garden, menu):
    for plant in garden.plants:
        if plant.dead:
            garden.plants.remove(plant)
    for plant in list(garden.plants):
        if plant.dead:
            garden.plants.remove(plant)
    for plants in plants:
        print(plants)
    for plant in plants:
        print(plant)
    for label in garden.labels:
        menu[label] = lambda: garden.show(label)
    for label in garden.labels:
        menu[label] = lambda label=label: garden.show(label)

<?php

class DonationForm
{
    public function configureOptions($resolver)
    {
        $resolver->setDefaults([
            'data_class' => Donation::class,
            'csrf_protection' => false,
        ]);
    }
}

class TicketForm
{
    public function configureOptions($resolver)
    {
        $resolver->setDefaults([
            'csrf_protection' => true,
        ]);
    }
}

"""What chains of dynamic programs need: bits after the prompt, widths that hold them, distinct tables, locality. No torch."""

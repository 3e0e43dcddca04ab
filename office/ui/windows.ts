/** As `--below-tablet` in `windows.css`: the layout for phones, and for large text in a wider window. */
export const PHONE = '(max-width: 47.999em)'

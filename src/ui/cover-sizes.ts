/*
 * How wide a cover is drawn, for its `sizes`. On a phone it is said to be a little narrower than it is: at twice the
 * density a card of 167 px asks for 334, and the picture of 330 (`cover-picture.ts`) weighs half of the next one.
 */
const ON_A_PHONE = '41vw'

export const CAROUSEL_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, ${ON_A_PHONE}`
/** Two, three or four in a row. */
export const GRID_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, (min-width: 480px) 30vw, ${ON_A_PHONE}`

/** One picture of a cover in all the forms it is served in. Knows addresses, not books. */
export interface CoverPicture {
  /** Addresses by width in pixels; 330 and 900 are what the shop makes. */
  avif: { 330: string; 900: string }
  webp: { 330: string; 900: string }
  /** The crop without type, for anything below 96 px. */
  thumb?: { avif?: string | undefined; webp: string } | undefined
  /** Intrinsic size, e.g. 900 × 900 or 900 × 1350. */
  width: number
  height: number
  /** 16 average colours, row by row, as RRGGBB without '#', in one string of 96 characters. */
  placeholder?: string | undefined
  /** The colour beside a picture that does not fill its box. `#RRGGBB`. */
  ground?: string | undefined
}

export const srcSet = (widths: { 330: string; 900: string }) => `${widths[330]} 330w, ${widths[900]} 900w`

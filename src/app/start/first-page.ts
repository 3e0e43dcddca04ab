let first = true

/**
 * Whether this is still the page the browser was opened with. What the server answered shows at once; after a
 * navigation in the client the 404 and 500 pages wait a moment (NAV-54).
 */
export const isFirstPage = (): boolean => first

export const leaveFirstPage = (): void => {
  first = false
}

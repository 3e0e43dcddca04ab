let first = true

/**
 * True until the first client-side navigation. The server's answer shows at once; after a
 * navigation in the client the 404 and 500 pages wait a moment (NAV-54).
 */
export const isFirstPage = (): boolean => first

export const leaveFirstPage = (): void => {
  first = false
}

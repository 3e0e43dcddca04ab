/** From the frame's local storage, which a browser may block. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** The mini player arrives with the first sound. */
export function MiniPlayerSlot() {
  return null
}

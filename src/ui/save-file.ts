/** Saves a file to the listener's disk. */
export function saveFile(content: Blob, name: string, save = saveAddress): void {
  const address = URL.createObjectURL(content)
  save(address, name)
  // Long enough for a browser that asks where to put it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export function saveAddress(address: string, name: string): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
}

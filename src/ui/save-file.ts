export function saveFile(content: Blob, name: string, save = saveAddress): void {
  const address = URL.createObjectURL(content)
  save(address, name)
  // Long enough for browsers that ask for the location.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export function saveAddress(address: string, name: string): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
}

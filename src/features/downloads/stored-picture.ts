import type { StoredTitle } from '#storage/sound-db.ts'

const pictures = new Map<string, string>()

/** The stored cover, used for every size; its object URL is created once per page. */
export function storedPicture({ key, cover, coverType, colours }: StoredTitle) {
  const kept = pictures.get(key)
  const address = kept ?? (cover ? URL.createObjectURL(new Blob([cover], { type: coverType })) : '')
  if (!kept && address) pictures.set(key, address)
  const both = { 330: address, 600: address, 900: address }
  return {
    avif: both,
    webp: both,
    width: 900,
    height: key.startsWith('ebook/') ? 1350 : 900,
    ...(colours[1] ? { ground: colours[1] } : {}),
  }
}

/** A title as a file name that every system takes, with its extension. */
export function fileName(title: string, extension: string): string {
  const plain = title
    .normalize('NFC')
    // Separators and wildcards of one system or another, control characters and marks that turn the text round.
    .replaceAll(/[/\\:*?"<>|\p{C}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, 120)
    // Never half a surrogate pair, which would not be valid text.
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[. ]+$/, '')
  return `${plain || 'Untitled'}.${extension}`
}

/** `Content-Disposition` of a download: the name as it is, and one in ASCII for what reads only that (RFC 6266). */
export function attachment(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

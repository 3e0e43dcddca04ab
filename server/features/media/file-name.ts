/** Valid on every system. */
export function fileName(title: string, extension: string): string {
  const plain = title
    .normalize('NFC')
    // Separators and wildcards of any system, control characters, and marks that change the text direction.
    .replaceAll(/[/\\:*?"<>|\p{C}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, 120)
    // `slice` can split a surrogate pair; half a pair is not valid text.
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[. ]+$/, '')
  return `${plain || 'Untitled'}.${extension}`
}

/** The value of `Content-Disposition`, with an ASCII name for clients that read only that (RFC 6266). */
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

export interface Progress {
  begin(what: string): void
  at(what: string, count: number): void
  bytes(what: string, done: number, all: number): void
  /** From 0 to 1. */
  share(what: string, share: number): void
  end(): void
}

export const silently: Progress = { begin() {}, at() {}, bytes() {}, share() {}, end() {} }

/** Shows a text at most every `everyMs`; an empty one at the end. */
export function progressInWords(show: (text: string) => void, everyMs: number): Progress {
  let shownAt = performance.now()
  const showNow = (text: string, isFirst = false) => {
    const now = performance.now()
    if (!isFirst && now - shownAt < everyMs) return
    shownAt = now
    show(text)
  }
  return {
    begin: (what) => showNow(what, true),
    at: (what, count) => showNow(`${what}: ${count.toLocaleString('en-GB')}`),
    bytes: (what, done, all) => showNow(`${what}: ${sizeInWords(done)} of ${sizeInWords(all)}`),
    share: (what, share) => showNow(`${what}: ${Math.round(share * 100)}%`),
    end: () => show(''),
  }
}

export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  progressInWords(
    (text) => {
      if (text) stream.write(stream.isTTY ? `\r\u001B[K${text} …` : `${text} …\n`)
      else if (stream.isTTY) stream.write('\r\u001B[K')
    },
    stream.isTTY ? 200 : 30_000,
  )

export function sizeInWords(bytes: number): string {
  if (bytes < 1e6) return `${counted(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${counted(bytes / 1e6)} MB` : `${counted(bytes / 1e9)} GB`
}

const counted = (size: number): string => size.toLocaleString('en-GB', { maximumFractionDigits: 1 })

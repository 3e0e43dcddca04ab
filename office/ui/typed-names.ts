/** Names and series as they are typed into one field. */

export const namesIn = (typed: string): string[] =>
  typed
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter(Boolean)

interface NumberedSeries {
  readonly title: string
  readonly number: string | null
}

/** `Tides #2; Harbours` */
export const seriesText = (series: readonly NumberedSeries[]): string =>
  series.map(({ title, number }) => `${title}${number === null ? '' : ` #${number}`}`).join('; ')

export const seriesIn = (typed: string): NumberedSeries[] =>
  typed
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, title = part, number] = /^(.*?)\s*(?:#\s*(\S+))?$/.exec(part) ?? []
      return { title, number: number ?? null }
    })

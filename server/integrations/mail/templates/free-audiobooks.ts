export const moreWords = (more = 0): string =>
  more === 0
    ? ''
    : ` ${more === 1 ? 'One more free audiobook is' : `${more} more free audiobooks are`} yours to choose this month.`

export const twoOrMore = (count: number): string => (count === 2 ? 'Two' : String(count))

export const creditsWords = (perMonth: number): string =>
  perMonth === 0
    ? ''
    : ` ${perMonth === 1 ? 'A free audiobook' : `${twoOrMore(perMonth)} free audiobooks`} every month, chosen by you from the current highlights, ${perMonth === 1 ? 'is' : 'are'} part of it.`

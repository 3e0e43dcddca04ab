/** The number with which a book's own ends, where that is a whole one: 3 of “3”, 4 of “3–4”, none of “2.5”. */
const WHOLE = (number: string) => `substring(${number} from '^(?:[0-9][0-9.,]*–)?([0-9]{1,6})$')::int`

/** The highest whole number of the series `s`. */
export const LAST_OF_SERIES = `greatest(
  (select max(${WHOLE('m.number')}) from book_series m join books o on o.id = m.book_id
    where m.series_id = s.id and o.sellable is not null),
  (select max(${WHOLE('g.number')}) from series_gaps g where g.series_id = s.id))`

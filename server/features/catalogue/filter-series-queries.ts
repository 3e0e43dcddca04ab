/** The last whole number of a book's position in a series: 3 for “3”, 4 for “3–4”, null for “2.5”. */
const WHOLE = (number: string) => `substring(${number} from '^(?:[0-9][0-9.,]*–)?([0-9]{1,6})$')::int`

/** Of listed books and of books that the shop does not have. */
export const LAST_OF_SERIES = `greatest(
  (select max(${WHOLE('m.number')}) from book_series m join books o on o.id = m.book_id
    where m.series_id = s.id and o.sellable is not null),
  (select max(${WHOLE('g.number')}) from series_gaps g where g.series_id = s.id))`

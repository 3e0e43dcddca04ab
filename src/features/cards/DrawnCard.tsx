import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { BookCard } from '#contract/catalogue.ts'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { browseQuery } from '#features/catalogue/queries.ts'
import { shop } from '#features/shop-details/shop.ts'
import { amount, price, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { Cover } from '#ui/Cover.tsx'
import { isDark } from '#ui/title-theme.ts'
import styles from './drawn-card.module.css'

/** The newest titles that come as cards: the first page of their list. */
const newestCardsQuery = () => browseQuery({ availableAsCard: true, styles: [], itemsPerPage: 12 })

/**
 * The title on the drawn card, whose colours fill the first view: the most colourful one with light letters, which are
 * the paper of the card's inside.
 */
const exampleIn = (books: readonly BookCard[] | undefined) =>
  books?.toSorted((one, other) => suitability(other) - suitability(one))[0]

const suitability = (book: BookCard) => (isDark(themeOf(book)) ? colourfulness(book) : -1)

/** From 0 for greys to 255: the difference between the strongest and the weakest of red, green and blue. */
function colourfulness({ bookBackgroundColour }: BookCard): number {
  const parts = (bookBackgroundColour?.match(/[\da-f]{2}/gi) ?? ['0']).map((part) =>
    Number.parseInt(part, 16),
  )
  return Math.max(...parts) - Math.min(...parts)
}

export const useExampleCard = (): BookCard | undefined =>
  exampleIn(useQuery(newestCardsQuery()).data?.['hydra:member'])

/** Undefined until it is known. */
export const useCardCount = (): number | undefined => useQuery(newestCardsQuery()).data?.['hydra:totalItems']

/** For the server's rendering; in the browser, no navigation waits for a drawing. */
async function loadNewestCards(queryClient: QueryClient): Promise<void> {
  const loading = queryClient.prefetchQuery(newestCardsQuery())
  if (typeof document === 'undefined') await loading
}

const cardSumQuery = (slug: string) =>
  queryOptions({
    queryKey: ['card-sum', slug],
    queryFn: ({ signal }) =>
      call('GET /api/card_sums/{slug}', { params: { slug }, signal, anonymous: true, background: true }),
  })

/** For the server's rendering: the drawn card and its sum. */
export async function loadCardSum(queryClient: QueryClient): Promise<void> {
  await loadNewestCards(queryClient)
  const book = exampleIn(queryClient.getQueryData(newestCardsQuery().queryKey)?.['hydra:member'])
  const loading = book && queryClient.prefetchQuery(cardSumQuery(book.slug))
  if (typeof document === 'undefined') await loading
}

/** What a bookshop gets that asks for its first cards. */
export const STARTER_PACK_OFFER = 'Twenty-four cards and a stand, free. Send back what doesn’t sell.'

/** Of no card: the form of a code, as `server/codes/cards.ts` makes it. */
const CODE = 'Q7MT-2HKE-9RWA-4XND3'

/** A card from the front, inside and from the back, on the band of its title. */
export function DrawnCard({ book }: { book: BookCard }) {
  const length = lengthOf(book)
  return (
    <div className={styles.card}>
      <figure className={styles.front}>
        <Front book={book} sizes="(min-width: 900px) 384px, (min-width: 768px) 50vw, 60vw" />
        <figcaption>Front</figcaption>
      </figure>
      <figure className={styles.inside}>
        <div className={styles.leaves}>
          <div className={styles.ink}>
            <p>Dora, for the drive to Whitby. Start at chapter two if it rains.</p>
            <p>Love, Mum</p>
            <p className={styles.maker}>{shop().name}</p>
          </div>
          <ol role="list" className={styles.steps}>
            <li>Go to our redemption page</li>
            <li>Type the code from the back</li>
            <li>Press Play. It’s yours for good.</li>
          </ol>
          <p className={styles.foot}>
            <i>{book.title}</i>
            {length && (
              <>
                , <span className={styles.length}>{length}</span>
              </>
            )}
          </p>
        </div>
        <figcaption>Inside: your words, and how to listen</figcaption>
      </figure>
      <figure className={styles.back}>
        <Back book={book} />
        <figcaption>Back: the code, for the till and for them</figcaption>
      </figure>
    </div>
  )
}

function Front({ book, sizes }: { book: BookCard; sizes: string }) {
  const narrators = narratorsOf(book)
  const length = lengthOf(book)
  return (
    <div className={styles.paper}>
      <Cover picture={coverOf(book)} alt="" sizes={sizes} hero />
      <p className={styles.panel}>
        <b>An audiobook in a card</b>
        <span>
          {narrators && `Read by ${narrators}`}
          {narrators && length && ', '}
          {length && <span className={styles.length}>{length}</span>}
        </span>
      </p>
    </div>
  )
}

const Back = ({ book }: { book: BookCard }) => (
  <div className={styles.leaf}>
    <b>{book.title}</b>
    <p>{authorsOf(book)}</p>
    <svg viewBox={`0 0 ${BARS.modules} 32`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path d={BARS.path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
    <p className={styles.code}>{CODE}</p>
    <p className={styles.sale}>
      <span>{price(toMinor(book.price))}</span>
      <span>{shop().name}</span>
    </p>
  </div>
)

/** Only looks like a barcode: three bars for each letter, each bar one or two modules wide. */
const BARS = Array.from(CODE.replaceAll('-', '').slice(0, 12)).reduce(
  ({ path, modules }, letter) => {
    const bits = letter.codePointAt(0)! * 37
    const widths = [0, 1, 2].map((bar) => [1 + ((bits >> bar) & 1), 1 + ((bits >> (bar + 3)) & 1)] as const)
    return widths.reduce(
      (bars, [bar, space]) => ({
        path: `${bars.path}M${bars.modules} 0h${bar}v32h-${bar}z`,
        modules: bars.modules + bar + space,
      }),
      { path, modules },
    )
  },
  { path: '', modules: 0 },
)

/** What a card leaves in the till (RESL-03). */
export function CardSum({ book }: { book: BookCard }) {
  const { data: sum } = useQuery(cardSumQuery(book.slug))
  if (!sum) return null
  const sold = toMinor(sum.sold)
  return (
    <dl className={styles.sum}>
      <div>
        <dt>
          <i>{book.title}</i>, sold at your till
        </dt>
        <dd>{amount(sold)}</dd>
      </div>
      <div>
        <dt>
          Invoiced by us<span>Two fifths, at the end of the month</span>
        </dt>
        <dd>−{amount(toMinor(sum.invoiced))}</dd>
      </div>
      <div className={styles.result}>
        <dt>Yours to keep</dt>
        <dd>{amount(toMinor(sum.keeps))}</dd>
      </div>
      <div>
        <dt>
          And if they come back and buy a {amount(sold)} book from us<span>Of the price without VAT</span>
        </dt>
        <dd>+{amount(toMinor(sum.commission))}</dd>
      </div>
    </dl>
  )
}

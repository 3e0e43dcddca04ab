import { Link } from '@tanstack/react-router'
import type { EditedBook } from '#contract/office/titles.ts'
import { amount } from '#format/money.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { TextButton } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { exactly } from '../../ui/when.ts'
import { FolderSays } from './FolderSays.tsx'
import { InlinePrice } from './InlinePrice.tsx'
import type { EditedTitle } from './title-query.ts'
import { FORMAT_WORDS, TitleStateMark } from './title-words.tsx'

/** One row a format: price, members, state, and prices that are planned. */
export function TitlePrices({ title }: { readonly title: EditedTitle }) {
  const mayChange = useMay()('titles.change')
  const { slug } = title
  return (
    <Section title="Price">
      <table className="table" id="field-price" tabIndex={-1}>
        <thead>
          <tr>
            <th>Format</th>
            <th className="num">Price</th>
            <th className="num">Members pay</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {title.books.map((book) => (
            <tr key={book.id}>
              <td>{FORMAT_WORDS[book.format]}</td>
              <td className="num">
                {mayChange ? (
                  <InlinePrice title={book} />
                ) : book.priceMinor === null ? (
                  'none'
                ) : (
                  amount(book.priceMinor)
                )}
              </td>
              <td className="num muted">{book.memberMinor === null ? '' : amount(book.memberMinor)}</td>
              <td>
                <TitleStateMark {...book} />{' '}
                {mayChange && (
                  <Link to="/titles/states" search={{ ids: String(book.id) }} className="small text-button">
                    Change
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {title.books.map((book) => (
        <div key={book.id}>
          <FolderSays slug={slug} book={book} field="price" what={`${FORMAT_WORDS[book.format]}’s price`} />
          {book.isStateSetHere && (
            <FolderSays slug={slug} book={book} field="state" what={`${FORMAT_WORDS[book.format]}’s state`} />
          )}
          {book.changes.map((change) => (
            <PlannedPrice key={change.id} slug={slug} change={change} format={book.format} />
          ))}
        </div>
      ))}
      {mayChange && (
        <p className="below">
          <Link
            to="/titles/prices"
            search={{ ids: title.books.map(({ id }) => id).join(',') }}
            className="text-button small"
          >
            A price for a time, or for members
          </Link>
        </p>
      )}
    </Section>
  )
}

function PlannedPrice({
  slug,
  change: { id, priceMinor, startsAt, endsAt, isRunning },
  format,
}: {
  readonly slug: string
  readonly change: EditedBook['changes'][number]
  readonly format: EditedBook['format']
}) {
  const mayChange = useMay()('titles.change')
  const stop = useAct(() => officeCall('DELETE /api/office/titles/price-changes/{id}', { params: { id } }), {
    changes: [['title', slug], ['titles']],
    done: ({ what }) => `${what}.`,
  })
  return (
    <p className="hint folder-says">
      {FORMAT_WORDS[format]}: {amount(priceMinor)}{' '}
      {isRunning ? 'now' : <time dateTime={startsAt}>from {exactly(startsAt)}</time>}
      {endsAt && <time dateTime={endsAt}>, until {exactly(endsAt)}</time>}.{' '}
      {mayChange && (
        <TextButton onClick={() => void stop.write()}>{isRunning ? 'End it now' : 'Give it up'}</TextButton>
      )}
    </p>
  )
}

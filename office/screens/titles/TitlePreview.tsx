import { useState } from 'react'
import { amount } from '#format/money.ts'
import { namesIn } from '../../ui/typed-names.ts'
import type { EditedTitle } from './title-query.ts'
import type { TitleFields } from './title-form.ts'

const AS = ['Wide', 'Phone', 'Member'] as const

/** The page as people will see it, from what is typed. */
export function TitlePreview({
  title: { books },
  typed,
}: {
  readonly title: EditedTitle
  readonly typed: TitleFields
}) {
  const [as, setAs] = useState<(typeof AS)[number]>('Wide')
  const book = books[0]!
  const paragraphs = typed.summary
    .replaceAll(/<[^>]*>/g, '\n\n')
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean)
  const isHex = (text: string) => /^#[\da-f]{6}$/i.test(text)
  return (
    <aside className="title-preview" aria-label="Preview">
      <div className="spread small muted">
        As a {as === 'Member' ? 'member' : 'visitor'} sees it
        <span className="preview-as">
          {AS.map((each) => (
            <button key={each} type="button" aria-pressed={as === each} onClick={() => setAs(each)}>
              {each}
            </button>
          ))}
        </span>
      </div>
      <div className="preview-page" data-as={as}>
        <div
          className="preview-band"
          style={{
            background: isHex(typed.backgroundColour) ? typed.backgroundColour : undefined,
            color: isHex(typed.textColour) ? typed.textColour : undefined,
          }}
        >
          {book.cover && <img src={book.cover} alt="" />}
          <div>
            <p className="preview-title">{typed.title || 'No title yet'}</p>
            <p>{namesIn(typed.authors).join(', ')}</p>
            {typed.narrators && <p className="small">Read by {namesIn(typed.narrators).join(', ')}</p>}
            <p className="preview-price">
              {book.priceMinor === null
                ? 'No price yet'
                : as === 'Member'
                  ? amount(book.memberMinor ?? book.priceMinor)
                  : amount(book.priceMinor)}
              {as !== 'Member' && book.memberMinor !== null && (
                <small> {amount(book.memberMinor)} for members</small>
              )}
            </p>
          </div>
        </div>
        <div className="preview-text">
          <h3>About the book</h3>
          {paragraphs.length > 0 ? (
            paragraphs.map((each, index) => <p key={index}>{each}</p>)
          ) : (
            <p className="muted">No description yet.</p>
          )}
          {typed.booksellerWords && (
            <blockquote>
              {typed.booksellerWords}
              <footer>{typed.booksellerName}</footer>
            </blockquote>
          )}
          {book.chapters.length > 0 && (
            <>
              <h3>Chapters</h3>
              <ol>
                {book.chapters.slice(0, 5).map(({ number, title }) => (
                  <li key={number}>{title}</li>
                ))}
              </ol>
            </>
          )}
        </div>
      </div>
    </aside>
  )
}

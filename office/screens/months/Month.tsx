import { Link, useParams } from '@tanstack/react-router'
import type { ChosenTitle, MonthContent, MonthList, MonthTitle } from '#contract/office/documents.ts'
import { DocumentPage } from '../../documents/DocumentPage.tsx'
import { PagePreview } from '../../documents/PagePreview.tsx'
import { TitlePicker } from '../../documents/TitlePicker.tsx'
import type { Editing } from '../../documents/use-document.ts'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { monthAndYear } from '../../ui/when.ts'

/** The highlights and editions of a month next to the home page as it will be. */
export function Month() {
  const { key } = useParams({ from: '/shell/titles/months/$key' })
  return (
    <DocumentPage<MonthContent>
      key={key}
      name={{ kind: 'month', key }}
      what="The month"
      title={() => monthAndYear(key)}
      at="/titles/months/$key"
      crumb={
        <>
          <Link to="/titles">Titles</Link> <Link to="/titles/months">Months</Link>
        </>
      }
    >
      {(editing) => (
        <div className="beside">
          <div className="form">
            <Titles editing={editing} list="highlights" label="Highlights" />
            <Titles editing={editing} list="editions" label="Editions" />
          </div>
          <PagePreview
            name={editing.name}
            version={editing.document.version}
            title={`The home page in ${monthAndYear(key)}`}
          />
        </div>
      )}
    </DocumentPage>
  )
}

interface TitlesProps {
  readonly editing: Editing<MonthContent>
  readonly list: MonthList
  readonly label: string
}

function Titles({ editing: { content, change }, list, label }: TitlesProps) {
  const titles = content[list]
  const set = (slug: string, part: Partial<MonthTitle>) =>
    change((month) => ({
      ...month,
      // A title can be in both lists, and has the same words there.
      highlights: withWords(month.highlights, slug, part),
      editions: withWords(month.editions, slug, part),
    }))
  const order = (slugs: string[], added?: ChosenTitle) =>
    change((month) => {
      const known = new Map(
        [...month.editions, ...month.highlights, ...month[list]].map((title) => [title.slug, title]),
      )
      return {
        ...month,
        [list]: slugs.map(
          (slug) => known.get(slug) ?? { slug, words: added?.words ?? '', by: added?.wordsBy ?? '' },
        ),
      }
    })
  return (
    <div data-field={list}>
      <TitlePicker
        label={label}
        heading="h2"
        withEBooks
        slugs={titles.map(({ slug }) => slug)}
        onChange={order}
        fieldOf={(index) => `${list}.${index}`}
        below={(title, index) => {
          const { slug, words, by } = titles[index]!
          return (
            <details className="month-words">
              <summary>
                {words ? `${by || 'Somebody'} says: ${words}` : 'Add a bookseller’s words'}
                <span className="visually-hidden"> about {title.title}</span>
              </summary>
              <div className="form">
                <TextAreaField
                  label="What they say"
                  hint="On the title’s page, and among the editions"
                  maxLength={4_000}
                  value={words}
                  onChange={({ target: { value } }) => set(slug, { words: value })}
                />
                <Field
                  label="Who says it"
                  maxLength={200}
                  value={by}
                  onChange={({ target: { value } }) => set(slug, { by: value })}
                />
              </div>
            </details>
          )
        }}
      />
    </div>
  )
}

const withWords = (titles: readonly MonthTitle[], slug: string, part: Partial<MonthTitle>): MonthTitle[] =>
  titles.map((title) => (title.slug === slug ? { ...title, ...part } : title))

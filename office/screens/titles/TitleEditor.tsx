import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import type { Missing } from '#contract/office/titles.ts'
import { useForm, useWatch } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { monthAndYear } from '../../ui/when.ts'
import { FolderSays } from './FolderSays.tsx'
import { TitleCover } from './TitleCover.tsx'
import { TitlePrices } from './TitlePrices.tsx'
import type { EditedTitle } from './title-query.ts'
import { type TitleFields, fieldOf, fieldsFrom, valuesOf } from './title-form.ts'
import { lackWords } from './title-words.tsx'
import { TitlePreview } from './TitlePreview.tsx'

const TitleFiles = lazyPart(() => import('./TitleFiles.tsx'), 'TitleFiles')
const TitleSound = lazyPart(() => import('./TitleSound.tsx'), 'TitleSound')

export function TitleEditor({ title, crumb }: { readonly title: EditedTitle; readonly crumb: ReactNode }) {
  const { slug, books } = title
  const first = books[0]!
  const mayChange = useMay()('titles.change')
  const form = useForm<TitleFields>({ defaultValues: fieldsFrom(first.values) })
  const draft = useFormDraft(`title ${slug}`, form)
  // `dirtyFields` is read so that the form keeps the typed text when a colleague's change arrives.
  const { errors, dirtyFields: _kept } = form.formState
  const watched = useWatch({ control: form.control })
  const base = fieldsFrom(first.values)
  const typed: TitleFields = { ...base, ...watched }
  const changed = changedInputs(base, typed)
  const isDirty = changed.length > 0
  const changes = [['title', slug], ['titles']]
  const save = useAct(
    (fields: TitleFields) =>
      officeCall('PATCH /api/office/titles/{slug}', {
        params: { slug },
        body: { values: valuesOf(fields, changedInputs(base, fields), first.values) },
      }),
    {
      changes,
      form: { setError: form.setError, fields: ['title'] },
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: (_reply, fields) => {
        draft.discard()
        form.reset(fields)
      },
    },
  )
  // Show what a colleague saved in the fields that the user has not changed.
  const { reset } = form
  useEffect(() => reset(fieldsFrom(first.values), { keepDirtyValues: true }), [first.values, reset])

  const missing = missingOf(title)
  const unpublished = books.filter(({ state }) => state !== 'on-sale')
  const publish = useAct(
    () =>
      officeCall('POST /api/office/titles/states', {
        body: { ids: unpublished.map(({ id }) => id), state: 'on-sale' },
      }),
    { changes, done: ({ what }) => `${what}.`, entry: ({ entry }) => entry },
  )
  const saveNow = form.handleSubmit((fields) => save.write(fields))
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      if (isDirty) void saveNow()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  const onPublish = async () => {
    const [lack] = missing
    if (lack) {
      const field = document.getElementById(lack.at)
      field?.scrollIntoView({ block: 'center' })
      field?.focus()
      return
    }
    if (isDirty) await saveNow()
    await publish.write()
  }
  const isAudio = books.some(({ format }) => format === 'audio_book')
  const says = (input: keyof TitleFields) => <FolderSays slug={slug} book={first} field={fieldOf(input)} />
  const input = (name: keyof TitleFields, label: ReactNode, more: Record<string, unknown> = {}) => (
    <div>
      <Field
        id={`field-${name}`}
        label={label}
        readOnly={!mayChange}
        error={errors[name]?.message}
        {...more}
        {...form.register(name)}
      />
      {says(name)}
    </div>
  )
  const tick = (name: keyof TitleFields, label: string) => (
    <div>
      <label className="choice">
        <input type="checkbox" className="checkbox" disabled={!mayChange} {...form.register(name)} />
        {label}
      </label>
      {says(name)}
    </div>
  )
  return (
    <Page
      title={first.title}
      crumb={crumb}
      sub={missing.length > 0 ? `Missing: ${lackWords(missing.map(({ what }) => what))}` : undefined}
      acts={
        mayChange && (
          <>
            <Button
              busy={save.busy}
              sends
              why={isDirty ? undefined : 'Nothing to save'}
              onClick={() => void saveNow()}
            >
              Save
            </Button>
            {unpublished.length > 0 && (
              <Button look="beak" busy={publish.busy} sends onClick={() => void onPublish()}>
                Publish
                {missing.length > 0 &&
                  ` · ${missing.length} ${missing.length === 1 ? 'thing' : 'things'} missing`}
              </Button>
            )}
          </>
        )
      }
    >
      <Refusal message={save.refusal || publish.refusal} />
      <div className="title-editor">
        <div className="form">
          <form className="form" noValidate onSubmit={(event) => void saveNow(event)}>
            {input('title', 'Title')}
            <div className="fields">
              {input('authors', 'Authors', { hint: 'Several: with commas between' })}
              {isAudio && input('narrators', 'Read by')}
              {input('translator', 'Translated by')}
              {input('publisher', 'Publisher', { list: 'publishers' })}
            </div>
            {input('series', 'Series', { hint: 'Like Tides #2; several with a semicolon between' })}
            <div>
              <TextAreaField
                id="field-summary"
                label="Description"
                rows={8}
                readOnly={!mayChange}
                hint="An empty line begins a paragraph."
                {...form.register('summary')}
              />
              {says('summary')}
            </div>
            <TitlePrices title={title} />
            <TitleCover title={title}>
              <div className="fields">
                {input('backgroundColour', 'Band', { hint: 'Like #1F2E50' })}
                {input('containerColour', 'Box')}
                {input('textColour', 'Text')}
              </div>
            </TitleCover>
            <Section title="Shelves">
              <div className="form">
                <div className="fields">
                  {input('category', 'Category', { list: 'categories' })}
                  {input('style', 'Style', { list: 'styles' })}
                  {input('language', 'Language', { list: 'languages' })}
                  {input('tags', 'Tags')}
                  {input('firstPublished', 'First published', { type: 'date' })}
                  {input('preorder', 'Comes out', {
                    type: 'date',
                    hint: 'Announced until its files are here',
                  })}
                </div>
                {tick('violence', 'It has scenes of violence')}
              </div>
            </Section>
            <Section title="Highlights">
              <div className="form">
                <InMonths title={title} />
                {!title.isMonthPlanned && (
                  <>
                    {tick('edition', 'Members can take it for a free audiobook')}
                    {tick('secondEdition', 'This month’s highlight')}
                  </>
                )}
                {tick('memoir', 'Among the memoirs')}
                {tick('writersDilemma', 'Writer’s dilemma')}
                {isAudio && tick('availableAsCard', 'Cards can be made for it')}
                {input('featuredPosition', 'Place on the home page', {
                  inputMode: 'numeric',
                  pattern: '[0-9]*',
                  hint: 'A number; empty for none',
                })}
              </div>
            </Section>
            <Section title="A bookseller’s words">
              <div className="form">
                <TextAreaField
                  label="What they say"
                  readOnly={!mayChange}
                  {...form.register('booksellerWords')}
                />
                {input('booksellerName', 'Who says it')}
              </div>
            </Section>
            {input('metaDescription', 'For search engines')}
            {['publishers', 'categories', 'styles', 'languages'].map((list) => (
              <datalist key={list} id={list}>
                {namesOf(title, list).map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </datalist>
            ))}
          </form>
          <Suspense>
            <TitleFiles title={title} />
          </Suspense>
          {isAudio && (
            <Suspense>
              <TitleSound slug={slug} />
            </Suspense>
          )}
          {mayChange && <Deletion title={title} />}
        </div>
        <TitlePreview title={title} typed={typed} />
      </div>
    </Page>
  )
}

/** In which months members can choose it. A plan takes the place of the title's own marks. */
function InMonths({ title: { months, isMonthPlanned } }: { readonly title: EditedTitle }) {
  const mayRead = useMay()('pages.read')
  if (months.length === 0 && !mayRead && !isMonthPlanned) return null
  return (
    <p>
      {months.length > 0 ? 'In: ' : isMonthPlanned ? 'In no month’s highlights or editions. ' : ''}
      {months.map(({ month, list }, index) => {
        const words = `${list === 'highlights' ? 'Highlights' : 'Editions'} of ${monthAndYear(month)}`
        return (
          <span key={`${list} ${month}`}>
            {index > 0 && ', '}
            {mayRead ? (
              <Link to="/titles/months/$key" params={{ key: month }}>
                {words}
              </Link>
            ) : (
              words
            )}
          </span>
        )
      })}
      {mayRead && (
        <>
          {months.length > 0 && '. '}
          <Link to="/titles/months">Plan the months</Link>
        </>
      )}
    </p>
  )
}

/** A title with owners, orders, gifts or cards can only be retired. */
function Deletion({ title: { slug, books } }: { readonly title: EditedTitle }) {
  const navigate = useNavigate()
  const isBound = books.every((book) => book.isBound)
  return (
    <Section title="Delete">
      <p className="hint">
        {isBound
          ? 'Retire it instead: it leaves the shop, and those who have it keep it.'
          : 'For a title that should never have been here. One that has done its time is retired.'}
      </p>
      <div className="title-delete">
        <Button
          why={isBound ? 'Somebody owns it, or it’s in an order, a gift or on a card.' : undefined}
          onClick={() => void navigate({ to: '/titles/$slug/delete', params: { slug } })}
        >
          Delete this title
        </Button>
      </div>
    </Section>
  )
}

const namesOf = (title: EditedTitle, list: string): readonly string[] =>
  list === 'publishers'
    ? title.publishers
    : list === 'categories'
      ? title.categories
      : list === 'styles'
        ? title.styles
        : title.languages

const changedInputs = (before: TitleFields, typed: TitleFields): (keyof TitleFields)[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys of the form
  (Object.keys(before) as (keyof TitleFields)[]).filter((input) => typed[input] !== before[input])

/** What the title lacks in any of its formats, and the field to go to. */
const missingOf = (title: EditedTitle): { readonly what: Missing; readonly at: string }[] =>
  [...new Set(title.books.flatMap(({ missing }) => missing))].map((what) => ({ what, at: MISSING_AT[what] }))

const MISSING_AT: Readonly<Record<Missing, string>> = {
  price: 'field-price',
  sound: 'field-files',
  text: 'field-files',
  cover: 'field-cover',
  description: 'field-summary',
  author: 'field-authors',
}

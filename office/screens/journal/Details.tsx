import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PieceContent } from '#contract/office/documents.ts'
import { TitlePicker } from '../../documents/TitlePicker.tsx'
import { useEditing } from '../../documents/use-document.ts'
import { officeCall } from '../../net/office-call.ts'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'
import { instantOf, localMinute } from '../../ui/when.ts'
import { PiecePicture, PieceSound } from './PieceMedia.tsx'

/** The fields of a piece other than its text. */
export function Details() {
  const { name, content, change } = useEditing<PieceContent>()
  const navigate = useNavigate()
  const { data: choices } = useQuery({
    queryKey: ['choices'],
    queryFn: () => officeCall('GET /api/office/choices'),
  })
  const set = (fields: Partial<PieceContent>) => change((piece) => ({ ...piece, ...fields }))
  const flag = (field: 'featured' | 'special' | 'memberOnly' | 'hideAuthor', label: ReactNode) => (
    <label className="choice">
      <input
        type="checkbox"
        className="checkbox"
        checked={content[field]}
        onChange={({ target: { checked } }) => set({ [field]: checked })}
      />
      {label}
    </label>
  )
  const text = (
    field:
      | 'place'
      | 'placeNote'
      | 'admission'
      | 'link'
      | 'linkTitle'
      | 'videoLink'
      | 'metaDescription'
      | 'metaKeywords',
    label: ReactNode,
  ) => (
    <Field
      label={label}
      data-field={field}
      value={content[field] ?? ''}
      onChange={({ target: { value } }) => set({ [field]: value === '' ? null : value })}
    />
  )
  const moment = (field: 'startsAt' | 'endsAt' | 'publishedAt', label: ReactNode) => (
    <Field
      label={label}
      type="datetime-local"
      data-field={field}
      value={content[field] === null ? '' : localMinute(content[field])}
      onChange={({ target: { value } }) => set({ [field]: value === '' ? null : instantOf(value) })}
    />
  )
  const chosen = (field: 'author' | 'category' | 'type', label: ReactNode, options: readonly Option[]) => (
    <SelectField
      label={label}
      data-field={field}
      value={content[field] ?? ''}
      onChange={({ target: { value } }) => set({ [field]: value === '' ? null : value })}
    >
      <option value="">None</option>
      {withCurrent(options, content[field]).map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  )
  return (
    <Drawer title="Details and picture" onClose={() => void navigate({ to: '..' })}>
      <div className="form">
        {chosen(
          'author',
          'Written by',
          choices?.authors.map(({ key, name: label }) => ({ value: key, label })) ?? [],
        )}
        {flag('hideAuthor', 'Don’t name the author')}
        {chosen('category', 'Subject', choices?.categories.map(same) ?? [])}
        {chosen('type', 'Type', choices?.types.map(same) ?? [])}
        <TextAreaField
          label="Summary"
          hint="Above the text, and for search engines if nothing else is written below."
          data-field="summary"
          value={content.summary}
          onChange={({ target: { value } }) => set({ summary: value })}
        />
        <PiecePicture content={content} set={set} />
        <PieceSound content={content} set={set} />
        {name.kind === 'discussion' && (
          <>
            <div className="fields">
              {moment('startsAt', 'Begins')}
              {moment('endsAt', 'Ends')}
            </div>
            {text('place', 'Where')}
            {text('placeNote', 'More about the place')}
            {text('admission', 'Admission')}
            <Field
              label={
                <>
                  Seats <small>empty if none are kept</small>
                </>
              }
              type="number"
              min={1}
              max={10_000}
              data-field="seats"
              value={content.seats ?? ''}
              onChange={({ target: { value } }) =>
                set({ seats: value === '' ? null : Math.trunc(Number(value)) })
              }
            />
          </>
        )}
        <div data-field="books">
          <TitlePicker
            label="Titles it is about"
            slugs={content.books}
            onChange={(books) => set({ books })}
            most={12}
          />
        </div>
        <fieldset className="plain-fieldset">
          <legend className="label">Where it is seen</legend>
          {flag('featured', 'First in the Journal’s panel')}
          {flag('special', 'Among the specials')}
          {flag('memberOnly', 'Sound, film and link for members only')}
        </fieldset>
        {content.memberOnly && (
          <SelectField
            label="From which plan on"
            value={content.minimumTier ?? ''}
            onChange={({ target: { value } }) =>
              set({ minimumTier: value === 'supporter' || value === 'reader' ? value : null })
            }
          >
            <option value="">Every member</option>
            <option value="supporter">Supporter</option>
            <option value="reader">Reader</option>
          </SelectField>
        )}
        {text('link', 'Link')}
        {text('linkTitle', 'What the link says')}
        {text('videoLink', 'Film (YouTube or Vimeo)')}
        {content.publishedAt !== null && moment('publishedAt', 'Published')}
        {text('metaDescription', 'Description for search engines')}
        {text('metaKeywords', 'Keywords')}
      </div>
    </Drawer>
  )
}

interface Option {
  readonly value: string
  readonly label: string
}

const same = (value: string): Option => ({ value, label: value })

const withCurrent = (options: readonly Option[], current: string | null): readonly Option[] =>
  current === null || options.some(({ value }) => value === current) ? options : [...options, same(current)]

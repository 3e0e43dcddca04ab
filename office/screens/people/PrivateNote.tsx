import { useState } from 'react'
import type { WholePerson } from '#contract/office/people.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { Section } from '../../ui/Page.tsx'
import { onDay } from '../../ui/when.ts'
import { changesOf } from './person-query.ts'

export function PrivateNote({ person: { id, firstName, note } }: { readonly person: WholePerson }) {
  const may = useMay()
  const draft = useDraft<string>(`note ${id}`)
  const [text, setText] = useState(draft.found ?? note?.text ?? '')
  const save = useAct(
    () => officeCall('PUT /api/office/people/{id}/note', { params: { id }, body: { text } }),
    {
      changes: changesOf(id),
      done: () => 'The note is saved.',
      entry: ({ entry }) => entry,
      onDone: draft.discard,
    },
  )
  const isChanged = text.trim() !== (note?.text ?? '')
  return (
    <Section title="Private note">
      <Refusal message={save.refusal} />
      <TextAreaField
        label={<span className="visually-hidden">Private note</span>}
        maxLength={2000}
        value={text}
        disabled={!may('people.change')}
        onChange={({ target: { value } }) => {
          setText(value)
          draft.keep(value)
        }}
        hint={`${note ? `${note.by}, ${onDay(note.at)}. ` : ''}Only the team reads this, but ${firstName} would get it with a copy of their data.`}
      />
      {isChanged && (
        <Button compact look="solid" busy={save.busy} sends onClick={() => void save.write()}>
          Save the note
        </Button>
      )}
    </Section>
  )
}

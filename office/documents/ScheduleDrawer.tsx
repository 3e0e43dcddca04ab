import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { facts } from '../facts.ts'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { useFormDraft } from '../net/use-draft.ts'
import { Button } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Field, Form } from '../ui/Field.tsx'
import { exactly, localMinute } from '../ui/when.ts'
import { changesOf, useEditing } from './use-document.ts'

export function ScheduleDrawer() {
  const { name, document, flush, adopt } = useEditing<object>()
  const { kind, key } = name
  const navigate = useNavigate()
  const close = () => void navigate({ to: '..' })
  const form = useForm<{ at: string }>({
    defaultValues: { at: document.publishAt ? localMinute(document.publishAt) : '' },
  })
  const draft = useFormDraft(`schedule ${kind} ${key}`, form)
  const schedule = useAct(
    async (at: string | null) => {
      const version = (await flush()) ?? document.version
      return officeCall('POST /api/office/documents/{kind}/{key}/schedule', {
        params: { kind, key },
        body: { version, at },
      })
    },
    {
      changes: changesOf(name),
      done: ({ document: next }) =>
        next.publishAt
          ? `It will be published ${exactly(next.publishAt)}.`
          : 'It isn’t published automatically.',
      entry: ({ entry }) => entry,
      onDone: ({ document: next }) => {
        draft.discard()
        adopt(next)
        close()
      },
    },
  )
  return (
    <Drawer title="When it is published" onClose={close}>
      <Form onSubmit={form.handleSubmit(({ at }) => void schedule.write(at))}>
        <Refusal message={schedule.refusal} />
        <Field
          label="Day and time"
          type="datetime-local"
          hint={`The shop’s time, ${facts().zone}. What is saved by then is published.`}
          error={form.formState.errors.at?.message}
          {...form.register('at', { required: 'Choose a day and a time.' })}
        />
        <div className="acts">
          <Button look="beak" type="submit" sends busy={schedule.busy}>
            Schedule
          </Button>
          {document.publishAt && (
            <Button sends onClick={() => void schedule.write(null)}>
              Don’t publish automatically
            </Button>
          )}
        </div>
      </Form>
    </Drawer>
  )
}

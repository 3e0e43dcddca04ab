import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { type Role, ROLE_WORDS, ROLES } from '#contract/office/permissions.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { LinkToHandOver } from './LinkToHandOver.tsx'

interface Invitee {
  readonly email: string
  readonly role: Role
}

export function Invite() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/team' })
  const form = useForm<Invitee>({ defaultValues: { email: '', role: 'support' } })
  const draft = useFormDraft('invite', form)
  const role = useWatch({ control: form.control, name: 'role' })
  const { write, busy, refusal, data, reset } = useAct(
    (body: Invitee) => officeCall('POST /api/office/team/invitations', { body }),
    {
      changes: [['team']],
      form: { setError: form.setError, fields: ['email'] },
      onDone: () => draft.discard(),
    },
  )
  if (data)
    return (
      <Drawer
        title="Invited"
        onClose={close}
        footer={
          <>
            <Button onClick={reset}>Invite somebody else</Button>
            <Button look="solid" onClick={close}>
              Done
            </Button>
          </>
        }
      >
        <LinkToHandOver invited={data} />
      </Drawer>
    )
  return (
    <Drawer title="Invite somebody" onClose={close}>
      <Form onSubmit={form.handleSubmit((given) => void write(given))}>
        <Refusal message={refusal} />
        <Field
          label="Email address"
          type="email"
          autoComplete="off"
          error={form.formState.errors.email?.message}
          {...form.register('email', { required: 'Type their address.' })}
        />
        <RadioField
          legend="Role"
          name="role"
          value={role}
          onChange={(value) => form.setValue('role', value, { shouldDirty: true })}
          options={ROLES.map((value) => ({
            value,
            label: ROLE_WORDS[value].name,
            note: ROLE_WORDS[value].does,
          }))}
        />
        <Button look="beak" type="submit" busy={busy} sends>
          Invite them
        </Button>
        <p className="hint">They get a link that works once, for three days, and make a passkey with it.</p>
      </Form>
    </Drawer>
  )
}

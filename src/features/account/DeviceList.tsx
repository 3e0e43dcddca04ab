import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { DeviceTabletIcon } from '@phosphor-icons/react/dist/csr/DeviceTablet'
import { LaptopIcon } from '@phosphor-icons/react/dist/csr/Laptop'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Device } from '#contract/account.ts'
import { DEVICE_NAME_LENGTH } from '#contract/limits.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { Field } from '#ui/Field.tsx'
import { toast } from '#ui/toast.ts'
import styles from './account-forms.module.css'
import {
  devicesQuery,
  isNamed,
  lastSeen,
  logOutDevice,
  logOutElsewhere,
  renameDevice,
  shapeOf,
  titleOf,
} from './devices.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { refusalMessage, useWrite } from '#writes/use-write.ts'

/** The devices where an account is logged in (docs/design.md, Screens). */
export function DeviceList({ ownerUuid, now }: { ownerUuid: string; now: Date }) {
  const queryClient = useQueryClient()
  const query = devicesQuery(ownerUuid)
  const { data: devices, isError } = useQuery(query)
  const [leaving, setLeaving] = useState<Device | 'others'>('others')
  const [asking, setAsking] = useState(false)

  const reload = () => queryClient.invalidateQueries({ queryKey: query.queryKey })
  const { write: logOut, busy } = useWrite(
    (device: Device | 'others') => (device === 'others' ? logOutElsewhere() : logOutDevice(device.id)),
    {
      onSuccess: (_reply, device) =>
        announce(
          device === 'others' ? 'Your other devices are logged out.' : `${titleOf(device)} is logged out.`,
        ),
      onFailure: (problem) => toast(refusalMessage(problem)),
    },
  )
  const leave = async (device: Device | 'others') => {
    await logOut(device)
    await reload()
    setAsking(false)
  }
  const ask = (about: Device | 'others') => {
    setLeaving(about)
    setAsking(true)
  }

  return (
    <section className={styles.section} aria-labelledby="devices">
      <div className={styles.head}>
        <Display as="h2" size="sm" id="devices">
          Where you are logged in
        </Display>
        <p>Don’t know one of these? Log it out, then change your password.</p>
      </div>
      <div className={styles.body}>
        {isError && !devices && <p>This list needs a connection.</p>}
        {devices && (
          <ul className={styles.list}>
            {devices.map((device) => (
              <DeviceRow
                key={device.id}
                device={device}
                now={now}
                rename={async (name) => {
                  await renameDevice(device.id, name)
                  await reload()
                }}
                logOut={() => ask(device)}
              />
            ))}
          </ul>
        )}
        {devices && devices.length > 1 && (
          <Button look="quiet" onClick={() => ask('others')}>
            Log out everywhere else
          </Button>
        )}
      </div>
      <Dialog
        low
        open={asking}
        onOpenChange={setAsking}
        title={leaving === 'others' ? 'Log out everywhere else?' : `Log out ${titleOf(leaving)}?`}
        closeLabel="Not now"
        actions={
          <Button look="danger" busy={busy} onClick={() => void leave(leaving)}>
            Log out and remove
          </Button>
        }
      >
        <WhatIsRemoved isOne={leaving !== 'others'} />
      </Dialog>
    </section>
  )
}

/** A device that was logged out may be lost or sold, so it keeps no data. Tell the owner before they confirm. */
const WhatIsRemoved = ({ isOne }: { isOne: boolean }) => (
  <div className="stack gap-3">
    <p>
      {isOne ? 'We’ll log it out straight away.' : 'We’ll log your other devices out straight away.'} Next
      time {isOne ? 'it’s' : 'each one is'} online, we’ll remove:
    </p>
    <ul className={styles.removed}>
      <li>downloads and saved books</li>
      <li>your library, queue and shelves</li>
      <li>places, bookmarks and notes, including any that haven’t reached us yet</li>
    </ul>
    <p>
      {isOne ? 'If it stays offline, that happens' : 'Where one stays offline, that happens'} after 30 days.
      Your account keeps everything that has reached us, and nothing changes on this device.
    </p>
  </div>
)

const ICONS = { phone: DeviceMobileIcon, tablet: DeviceTabletIcon, computer: LaptopIcon }

interface DeviceRowProps {
  device: Device
  now: Date
  rename: (name: string) => Promise<unknown>
  logOut: () => void
}

function DeviceRow({ device, now, rename, logOut }: DeviceRowProps) {
  const [renaming, setRenaming] = useState(false)
  const Icon = ICONS[shapeOf(device)]
  const title = titleOf(device)
  const seen = device.current ? (
    <span className={styles.here}>In use now</span>
  ) : (
    lastSeen(device.lastSeenAt, now)
  )

  return (
    <li className={styles.row}>
      <Icon className={styles.icon} size={24} aria-hidden />
      <div className={styles.words}>
        <b>{title}</b>
        <p>
          {(device.current || isNamed(device)) && `${device.browser}. `}
          {seen}
        </p>
      </div>
      {!renaming && (
        <div className={styles.ways}>
          <Button look="text" aria-label={`Rename ${title}`} onClick={() => setRenaming(true)}>
            Rename
          </Button>
          {!device.current && (
            <Button look="text" aria-label={`Log out ${title}`} onClick={logOut}>
              Log out
            </Button>
          )}
        </div>
      )}
      {renaming && (
        <RenameDeviceForm
          name={isNamed(device) ? device.name : ''}
          rename={rename}
          onDone={() => setRenaming(false)}
        />
      )}
    </li>
  )
}

interface RenameDeviceFormProps {
  name: string
  rename: (name: string) => Promise<unknown>
  onDone: () => void
}

function RenameDeviceForm({ name, rename, onDone }: RenameDeviceFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({ defaultValues: { name } })
  const { write, refusal } = useWrite(rename, {
    onSuccess: onDone,
    form: { setError, fields: ['name'] },
  })
  useEffect(() => setFocus('name'), [setFocus])
  const onSubmit = handleSubmit((typed) => write(typed.name.trim()))

  return (
    <form className={styles.rename} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <Field
        label="Name of this device"
        hint="Such as “Kitchen tablet”."
        autoComplete="off"
        maxLength={DEVICE_NAME_LENGTH}
        error={formState.errors.name?.message}
        {...register('name', { validate: (typed) => typed.trim() !== '' || 'Give it a name' })}
      />
      <div className="row gap-3">
        <Button type="submit" look="solid" busy={formState.isSubmitting}>
          Save
        </Button>
        <Button look="text" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

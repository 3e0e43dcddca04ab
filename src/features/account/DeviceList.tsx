import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Device } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { devicesQuery, logOutDevice, logOutElsewhere, renameDevice } from './device-calls.ts'
import { DeviceRow } from './DeviceRow.tsx'
import styles from './Devices.module.css'
import { titleOf } from './devices.ts'
import { refusalWords } from './refusal.ts'

/**
 * The devices where an account is logged in (docs/design.md, Screens): this device first, then the others, each with
 * its way out.
 */
export function DeviceList({ ownerUuid, now }: { ownerUuid: string; now: Date }) {
  const queryClient = useQueryClient()
  const query = devicesQuery(ownerUuid)
  const { data: devices, isError } = useQuery(query)
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState<Device | 'others'>('others')
  const [asking, setAsking] = useState(false)

  const reload = () => queryClient.invalidateQueries({ queryKey: query.queryKey })
  const logOut = async (work: () => Promise<unknown>, said: string) => {
    try {
      await work()
      announce(said)
    } catch (problem) {
      toast(refusalWords(problem, MESSAGES.somethingWentWrong))
    } finally {
      await reload()
    }
  }
  const leave = async (device: Device | 'others') => {
    setBusy(true)
    await (device === 'others'
      ? logOut(logOutElsewhere, 'Your other devices are logged out.')
      : logOut(() => logOutDevice(device.id), `${titleOf(device)} is logged out.`))
    setBusy(false)
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

/** A device that was logged out may be lost or sold, so it keeps no data. Say so before the owner confirms. */
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

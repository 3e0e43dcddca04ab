import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
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
  const leaveOthers = async () => {
    setBusy(true)
    await logOut(logOutElsewhere, 'Your other devices are logged out.')
    setBusy(false)
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
                logOut={() => logOut(() => logOutDevice(device.id), `${titleOf(device)} is logged out.`)}
              />
            ))}
          </ul>
        )}
        {devices && devices.length > 1 && (
          <Button look="quiet" busy={busy} onClick={() => void leaveOthers()}>
            Log out everywhere else
          </Button>
        )}
      </div>
    </section>
  )
}

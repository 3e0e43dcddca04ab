import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { DeviceTabletIcon } from '@phosphor-icons/react/dist/csr/DeviceTablet'
import { LaptopIcon } from '@phosphor-icons/react/dist/csr/Laptop'
import { useState } from 'react'
import type { Device } from '#contract/account.ts'
import { Button } from '#ui/Button.tsx'
import styles from './Devices.module.css'
import { isNamed, lastSeen, shapeOf, titleOf } from './devices.ts'
import { RenameDeviceForm } from './RenameDeviceForm.tsx'

const ICONS = { phone: DeviceMobileIcon, tablet: DeviceTabletIcon, computer: LaptopIcon }

interface DeviceRowProps {
  device: Device
  now: Date
  /** Rejects with a `NetProblem` when the server refuses. */
  rename: (name: string) => Promise<unknown>
  logOut: () => void
}

export function DeviceRow({ device, now, rename, logOut }: DeviceRowProps) {
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

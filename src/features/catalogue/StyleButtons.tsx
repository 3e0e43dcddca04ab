import { Chip } from '#ui/Chip.tsx'
import type { Option } from './filter-options.ts'
import styles from './book-details.module.css'

interface StyleButtonsProps {
  options: readonly Option[]
  chosen: readonly number[]
  onChange: (chosen: number[]) => void
}

/** Each press takes a style in or out; the address follows (BROWSE-01). */
export function StyleButtons({ options, chosen, onChange }: StyleButtonsProps) {
  return (
    <div className={styles.buttons} role="group" aria-label="Style">
      {options.map(({ id, label }) => (
        <Chip
          key={id}
          pressed={chosen.includes(id)}
          onClick={() =>
            onChange(
              chosen.includes(id)
                ? chosen.filter((other) => other !== id)
                : [...chosen, id].sort((a, b) => a - b),
            )
          }
        >
          {label}
        </Chip>
      ))}
    </div>
  )
}

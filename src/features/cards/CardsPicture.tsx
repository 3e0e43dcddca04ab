/** A picture of an audiobook in a card: nobody’s title in particular. */
export const CardsPicture = ({ className }: { className?: string | undefined }) => (
  <svg
    className={className}
    viewBox="0 0 560 400"
    role="img"
    aria-label="An audiobook card: the code is printed inside, under the title"
  >
    <g transform="rotate(-7 280 200)">
      <rect x="82" y="22" width="400" height="256" rx="14" fill="var(--ink)" />
      <g fill="var(--paper)">
        {FLOCK.map(([x, y, tilt]) => (
          <path
            key={`${x} ${y}`}
            transform={`translate(${x} ${y}) rotate(${tilt})`}
            d="m-5 0 5-2 5 2-5 1.500z"
          />
        ))}
      </g>
    </g>
    <g transform="translate(62 84) rotate(3 218 146)">
      <rect width="440" height="280" rx="14" fill="#A93B31" />
      <path d="M262 0h164a14 14 0 0 1 14 14v104z" fill="#F0A94F" />
      <path d="M262 0l178 118-214 26z" fill="#C9663C" />
      <g fill="#FBEBDD">
        <g fontFamily="var(--font-display)" fontWeight="500" fontSize="34" letterSpacing="-.7">
          <text x="28" y="60">
            A story,
          </text>
          <text x="28" y="96">
            read to you
          </text>
        </g>
        <text x="28" y="174" fontFamily="var(--font-text)" fontSize="17">
          Your redemption code
        </text>
        <path d="M28 186h384v64H28z" />
      </g>
      <g fill="#3A1512">
        {[0, 1, 2, 3].map((group) => (
          <path key={group} d={`M${48 + group * 88} 212h66v12h-66z`} />
        ))}
      </g>
    </g>
  </svg>
)

/** Dense where the dark card shows. */
const FLOCK = Array.from({ length: 64 }, (_, index) => {
  const along = (index * 0.618_034) % 1
  const across = ((index * 0.754_878) % 1) - 0.5
  return [
    Math.round(250 + along * 215),
    Math.round(92 - along * 52 + across * (70 - along * 40)),
    Math.round(across * 60 - 20),
  ] as const
})

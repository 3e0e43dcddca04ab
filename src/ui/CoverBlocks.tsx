/** The 4×4 average colours that stand where a cover will be. */
export function CoverBlocks({ colours, className }: { colours: string; className?: string | undefined }) {
  const blocks = colours.match(/[0-9a-f]{6}/gi) ?? []
  if (blocks.length !== 16) return null
  return (
    <svg
      className={className}
      viewBox="0 0 4 4"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      {blocks.map((colour, index) => {
        const square = `M${index % 4} ${Math.floor(index / 4)}h1v1h-1z`
        return <path key={square} fill={`#${colour}`} d={square} />
      })}
    </svg>
  )
}

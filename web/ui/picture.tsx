import type { ReactNode } from 'react';
import styles from './picture.module.css';

// These pictures have one ink, the colour of quiet text, and one line each in the accent colour.

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 160 90" width={160} height={90} aria-hidden="true" className={styles['picture']}>
      {children}
    </svg>
  );
}

/** Shows a circuit that waits for its first lap. */
export function TrackPicture() {
  return (
    <Picture>
      <path
        strokeDasharray="1 6"
        d="M22 70C14 70 10 64 13 58L24 29C27 22 34 19 41 20L74 25C81 26 82 36 88 39 96 43 101 31 109 25 119 17 138 16 149 24 160 32 158 50 149 58 142 64 130 64 120 66 90 71 52 70 22 70Z"
      />
      <path className={styles['accent']} d="M70 62V77" />
    </Picture>
  );
}

/** Shows a car in its garage. */
export function CarPicture() {
  return (
    <Picture>
      <path d="M16 66C12 66 10 64 10 61V54C10 49 13 46 18 45L34 41 48 29C52 25 57 23 63 23H86C91 23 96 24 100 27L120 40 141 44C147 45 151 49 151 55V61C151 64 149 66 146 66H134M106 66H54M26 66H16M73 23V40M43 40H112" />
      <circle cx="40" cy="66" r="11" />
      <circle cx="120" cy="66" r="11" />
      <path className={styles['accent']} d="M4 82H156" />
    </Picture>
  );
}

/** Shows a file that becomes a lap. */
export function FilePicture() {
  return (
    <Picture>
      <path d="M10 13H40L52 25V77H10ZM40 13V25H52M20 39H42M20 50H42M20 61H34M64 45H80M74 39L80 45 74 51" />
      <path d="M102 68C92 66 91 52 100 46L119 31C129 23 147 27 148 40 149 51 139 52 139 60 139 68 144 74 133 75 122 76 112 70 102 68Z" />
      <path className={styles['accent']} d="M104 34L112 44" />
    </Picture>
  );
}

/** Shows a board with the gaps of its rows. */
export function BoardPicture() {
  return (
    <Picture>
      <path d="M34 18H84M34 45H96M34 72H74M152 45H134M152 72H116" />
      <circle cx="14" cy="18" r="6" />
      <circle cx="14" cy="45" r="6" />
      <circle cx="14" cy="72" r="6" />
      <path className={styles['accent']} d="M122 18H152" />
    </Picture>
  );
}

/** Shows laps that get faster from session to session. */
export function ProgressPicture() {
  return (
    <Picture>
      <path d="M10 8V80H152M26 24H46M64 39H84M102 55H122" />
      <path strokeDasharray="1 9" d="M36 14V36M74 29V52M112 44V68" />
      <path className={styles['accent']} d="M134 64H152" />
    </Picture>
  );
}

/** Shows a flag at the side of the track. */
export function FlagPicture() {
  return (
    <Picture>
      <path d="M62 80V12M62 14C76 6 90 22 110 14V46C90 54 76 38 62 46" />
      <path strokeDasharray="1 9" d="M12 80H46M78 80H148" />
      <path className={styles['accent']} d="M52 80H72" />
    </Picture>
  );
}

/** Shows a bell without a notice. */
export function BellPicture() {
  return (
    <Picture>
      <path d="M52 66C60 58 58 50 58 40 58 26 68 18 80 18S102 26 102 40C102 50 100 58 108 66ZM80 18V10" />
      <path strokeDasharray="1 9" d="M38 30C34 36 32 42 32 50M122 30C126 36 128 42 128 50" />
      <path className={styles['accent']} d="M71 77C75 82 85 82 89 77" />
    </Picture>
  );
}

/** Shows a magnifying glass over rows of which none is left. */
export function SearchPicture() {
  return (
    <Picture>
      <path strokeDasharray="1 9" d="M14 22H56M14 45H48M14 68H56M112 22H146M126 68H146" />
      <circle cx="84" cy="42" r="24" />
      <path className={styles['accent']} d="M102 60L118 78" />
    </Picture>
  );
}

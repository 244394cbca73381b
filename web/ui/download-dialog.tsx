import Download from 'lucide-react/icons/download';
import { EXPORT_FORMATS, EXPORT_LABELS } from '#contract/laps/labels.ts';
import { buttonClassName } from './button.tsx';
import { Dialog } from './dialog.tsx';
import common from './common.module.css';

/** Names a drive, and the path of its export without the format. */
export type ExportedPath = { title: string; path: string };

type DownloadDialogProps = { exports: readonly ExportedPath[]; onClose: () => void };

/** Offers drives as files for other programs, one link for every format. */
export function DownloadDialog({ exports, onClose }: DownloadDialogProps) {
  return (
    <Dialog closesOutside title="Download" onClose={onClose}>
      <div className={common['stack']}>
        {exports.map(({ title, path }) => (
          <section key={path} className={common['lines']} aria-label={title}>
            <h3 className={common['note']}>{title}</h3>
            {EXPORT_FORMATS.map((format) => (
              <a
                key={format}
                href={`${path}?as=${format}`}
                download
                className={buttonClassName({ wide: true })}
              >
                <Download size={18} aria-hidden="true" />
                {EXPORT_LABELS[format]}
              </a>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

import { createContext, useState, type ReactNode } from 'react';
import type { Upload } from './upload-store.ts';

type UploadHolder = { upload: Upload | null };

/** Holds the upload of a tab. The first page that needs it creates it, so that no other page loads its code. */
export const UploadContext = createContext<UploadHolder | null>(null);

/** Lets an upload live as long as the tab: it goes on while the driver adds a car or looks at a board. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const [holder] = useState<UploadHolder>(() => ({ upload: null }));
  return <UploadContext value={holder}>{children}</UploadContext>;
}

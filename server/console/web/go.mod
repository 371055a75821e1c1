// There is no Go here. This file keeps what npm installs out of the module above.
module github.com/limpet-storage/limpet/console/web

go 1.26.0

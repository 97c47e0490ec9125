module github.com/librobots/librobots/bindings/go

go 1.24
